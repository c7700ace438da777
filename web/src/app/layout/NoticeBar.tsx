import { CloseButton } from '@mantine/core';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { dismissed, selectNotice } from '../../shared/notice/notice-slice.ts';
import classes from './NoticeBar.module.css';
import { useWords } from './words.ts';

const shownFor = 7000;

/** Says what just happened, wherever the person is by now. */
export function NoticeBar() {
  const t = useWords();
  const dispatch = useDispatch();
  const notice = useSelector(selectNotice);
  useEffect(() => {
    if (notice?.tone !== 'good') return;
    const timer = setTimeout(() => dispatch(dismissed()), shownFor);
    return () => clearTimeout(timer);
  }, [notice, dispatch]);
  return (
    <div className={classes.place} role="status">
      {notice && (
        <div className={classes.bar} data-tone={notice.tone}>
          <span>{notice.text}</span>
          <CloseButton
            className={classes.close ?? ''}
            variant="transparent"
            size={44}
            iconSize={18}
            aria-label={t('dismiss')}
            onClick={() => {
              dispatch(dismissed());
              // The button goes with the bar.
              document.getElementById('main')?.focus({ preventScroll: true });
            }}
          />
        </div>
      )}
    </div>
  );
}
