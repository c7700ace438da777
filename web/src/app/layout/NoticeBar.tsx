import { IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { useErrorSentence } from '../../shared/lib/errors.ts';
import { dismissed, type Notice, selectNotice } from '../../shared/notice/notice-slice.ts';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import classes from './NoticeBar.module.css';
import { useTranslations } from './translations.ts';
import { useFreeEdge } from './use-free-edge.ts';

const shownFor = 7000;

/** What a person leaves a page by, unlike a redirect after a failed call. */
const acts = ['pointerdown', 'keydown', 'popstate'];

/** Dismisses a failure notice when the person leaves the page that it is about. */
function useDismissWithPage(notice: Notice | null): void {
  const dispatch = useDispatch();
  const { pathname } = useLocation();
  const hasActed = useRef(false);
  useEffect(() => {
    hasActed.current = false;
    if (notice?.tone !== 'bad') return;
    const act = () => {
      hasActed.current = true;
    };
    for (const name of acts) window.addEventListener(name, act, { capture: true });
    return () => {
      for (const name of acts) window.removeEventListener(name, act, { capture: true });
    };
  }, [notice]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname is what it waits for
  useEffect(() => {
    if (hasActed.current) dispatch(dismissed());
  }, [pathname, dispatch]);
}

/** Says what just happened, wherever the person is by now. */
export function NoticeBar() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const notice = useSelector(selectNotice);
  const text = useErrorSentence(notice?.text);
  const edge = useFreeEdge(notice !== null);
  useDismissWithPage(notice);
  useEffect(() => {
    if (notice?.tone !== 'good') return;
    const timer = setTimeout(() => dispatch(dismissed()), shownFor);
    return () => clearTimeout(timer);
  }, [notice, dispatch]);
  return (
    <div className={classes.place} data-edge={edge} role="status">
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
