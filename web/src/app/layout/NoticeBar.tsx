import { IconX } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { useErrorSentence } from '../../shared/lib/errors.ts';
import { dismissed, type Notice, selectNotice } from '../../shared/notice/notice-slice.ts';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import classes from './NoticeBar.module.css';
import { useTranslations } from './translations.ts';

const field = 'input, textarea, select';

/** The half of the window in which the focused field is, if one has the focus. */
function focusedHalf(): 'top' | 'bottom' | undefined {
  const { activeElement } = document;
  if (!activeElement?.matches(field)) return undefined;
  const { top, bottom } = activeElement.getBoundingClientRect();
  return (top + bottom) / 2 < window.innerHeight / 2 ? 'top' : 'bottom';
}

/** The edge of the window at which something covers no field in use; at the bottom if there is none. */
function useFreeEdge(isShown: boolean): 'top' | 'bottom' {
  const [edge, setEdge] = useState<'top' | 'bottom'>('bottom');
  useLayoutEffect(() => {
    if (!isShown) return;
    const follow = () => setEdge(focusedHalf() === 'bottom' ? 'top' : 'bottom');
    follow();
    const eventTypes = ['focusin', 'scroll', 'resize'];
    for (const name of eventTypes) window.addEventListener(name, follow, { capture: true, passive: true });
    return () => {
      for (const name of eventTypes) window.removeEventListener(name, follow, { capture: true });
    };
  }, [isShown]);
  return edge;
}

const displayMs = 7000;

/** User events that precede a navigation, unlike a redirect after a failed call. */
const userEventTypes = ['pointerdown', 'keydown', 'popstate'];

/** Dismisses a failure notice when the person leaves the page that it is about. */
function useDismissWithPage(notice: Notice | null): void {
  const dispatch = useDispatch();
  const { pathname } = useLocation();
  const hasUserActed = useRef(false);
  useEffect(() => {
    hasUserActed.current = false;
    if (notice?.tone !== 'bad') return;
    const onUserEvent = () => {
      hasUserActed.current = true;
    };
    for (const name of userEventTypes) window.addEventListener(name, onUserEvent, { capture: true });
    return () => {
      for (const name of userEventTypes) window.removeEventListener(name, onUserEvent, { capture: true });
    };
  }, [notice]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new pathname is what it waits for
  useEffect(() => {
    if (hasUserActed.current) dispatch(dismissed());
  }, [pathname, dispatch]);
}

/** Shows the current notice on every page. */
export function NoticeBar() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const notice = useSelector(selectNotice);
  const text = useErrorSentence(notice?.text);
  const edge = useFreeEdge(notice !== null);
  useDismissWithPage(notice);
  useEffect(() => {
    if (notice?.tone !== 'good') return;
    const timer = setTimeout(() => dispatch(dismissed()), displayMs);
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
              // The button is removed with the bar.
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
