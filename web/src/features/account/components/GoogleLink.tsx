import { Button, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { Section } from '../../../shared/ui/Section.tsx';
import { selectAccount, sessionsRequested } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import { ReauthenticationDialog } from './ReauthenticationDialog.tsx';

/** Links the Google account of a code in the URL, and shows the result. */
function useGoogleLink(): void {
  const t = useTranslations();
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const { error, send } = useMutation('finishGoogleLink');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a code is good once
  useEffect(() => {
    const fragment = new URLSearchParams(hash.slice(1));
    const code = fragment.get('link');
    if (!code && !fragment.has('problem')) return;
    navigate('#google-title', { replace: true });
    if (!code) {
      dispatch(noticed({ text: t('googleLinkFailed'), tone: 'bad' }));
      return;
    }
    send({ body: { code } }, () => {
      dispatch(noticed({ text: t('googleLinkDone'), tone: 'good' }));
      dispatch(sessionsRequested());
    });
  }, [hash]);
  useEffect(() => {
    if (error) dispatch(noticed({ text: error, tone: 'bad' }));
  }, [error, dispatch]);
}

/** Links or unlinks a Google account. */
export function GoogleLink({ username }: { username: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const { google = 'not-configured' } = useSelector(selectAccount) ?? {};
  const linking = useMutation('startGoogleLink');
  const unlinking = useMutation('unlinkGoogle');
  useGoogleLink();
  if (google === 'not-configured') return null;

  const isLinked = google === 'linked';
  const unlinked = () => {
    dialog.current?.close();
    dispatch(noticed({ text: t('googleUnlinkDone'), tone: 'good' }));
    dispatch(sessionsRequested());
  };
  return (
    <Section titleId="google-title" title={t('googleTitle')}>
      <Text mb={16}>{t(isLinked ? 'googleLinked' : 'googleNotLinked')}</Text>
      <Button variant="default" mb={8} onClick={() => dialog.current?.showModal()}>
        {t(isLinked ? 'unlinkGoogle' : 'linkGoogle')}
      </Button>
      <ReauthenticationDialog
        ref={dialog}
        title={t(isLinked ? 'unlinkQuestion' : 'linkQuestion')}
        confirmLabel={t(isLinked ? 'unlinkGoogle' : 'linkGoogle')}
        cancelLabel={t('notNow')}
        username={username}
        harmless={!isLinked}
        status={isLinked ? unlinking : linking}
        onConfirm={(body) =>
          isLinked
            ? unlinking.send({ body }, unlinked)
            : linking.send({ body }, ({ location }) => window.location.assign(location))
        }
      >
        <p>{t(isLinked ? 'unlinkDescription' : 'linkDescription')}</p>
      </ReauthenticationDialog>
    </Section>
  );
}
