import { IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useToldAgain } from '../../shared/lib/errors.ts';
import { dismissed, selectNotice } from '../../shared/notice/notice-slice.ts';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import classes from './NoticeBar.module.css';
import { useTranslations } from './translations.ts';

const shownFor = 7000;

/** Says what just happened, wherever the person is by now. */
export function NoticeBar() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const notice = useSelector(selectNotice);
  const text = useToldAgain(notice?.text);
  useEffect(() => {
    if (notice?.tone !== 'good') return;
    const timer = setTimeout(() => dispatch(dismissed()), shownFor);
    return () => clearTimeout(timer);
  }, [notice, dispatch]);
  return (
    <div className={classes.place} role="status">
      {notice && (
        <div className={classes.bar} data-tone={notice.tone}>
          <span>{text}</span>
          <IconButton
            className={classes.close ?? ''}
            aria-label={t('dismiss')}
            onClick={() => {
              dispatch(dismissed());
              // The button goes with the bar.
              document.getElementById('main')?.focus({ preventScroll: true });
            }}
          >
            <IconX size={18} aria-hidden />
          </IconButton>
        </div>
      )}
    </div>
  );
}
