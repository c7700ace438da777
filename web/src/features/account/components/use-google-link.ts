import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { sessionsRequested } from '../slice.ts';
import { useTranslations } from '../translations.ts';

/** Links the Google account of a code in the URL, and shows the result. */
export function useGoogleLink(): void {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const { error, make } = useMutation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is good once
  useEffect(() => {
    const fragment = new URLSearchParams(hash.slice(1));
    const code = fragment.get('link');
    if (!code && !fragment.has('problem')) return;
    navigate('/settings', { replace: true });
    if (!code) {
      dispatch(noticed({ text: t('googleLinkFailed'), tone: 'bad' }));
      return;
    }
    void make(
      (client) => client.finishGoogleLink({ body: { code } }),
      () => {
        dispatch(noticed({ text: t('googleLinkDone'), tone: 'good' }));
        dispatch(sessionsRequested());
      },
    );
  }, [hash]);
  useEffect(() => {
    if (error) dispatch(noticed({ text: error, tone: 'bad' }));
  }, [error, dispatch]);
}
