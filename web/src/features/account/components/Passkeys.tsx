import { Button, Skeleton, Text } from '@mantine/core';
import { type Passkey, textLimits } from '@wayquest/contracts';
import { useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { formatTime } from '../../../shared/lib/moments.ts';
import { createPasskey, isPasskeyAddress, signalPasskeys } from '../../../shared/lib/passkeys.ts';
import { failed } from '../../../shared/lib/request-status.ts';
import { useMutation, useSaga } from '../../../shared/lib/use-mutation.ts';
import { useResource } from '../../../shared/lib/use-resource.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import type { Deps } from '../../../shared/saga/deps.ts';
import { request } from '../../../shared/saga/request.ts';
import { Loaded } from '../../../shared/ui/Loaded.tsx';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { selectSessions } from '../slice.ts';
import { useTranslations } from '../translations.ts';
import classes from './Account.module.css';
import { type OwnershipProof, ReauthenticationDialog } from './ReauthenticationDialog.tsx';
import { deviceOf } from './Sessions.tsx';

/** Creates a passkey. Returns undefined if the person canceled, or the authenticator has one already. */
const addPasskey = (deps: Deps, { name, ...body }: OwnershipProof & { name: string }) =>
  request(deps, async (api) => {
    const credential = await createPasskey(await api.startPasskey({ body }));
    return credential && api.addPasskey({ body: { name, credential } });
  });

const emptyFields = { name: '', isTyped: false };

/** Creates a passkey in the browser, with a name that its owner chooses. */
function AddPasskey({ username }: { username: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const [fields, write] = usePersistedFields('passkey', emptyFields);
  const session = useSelector(selectSessions).find(({ current }) => current);
  // Proposed, since most passkeys stay on the device that they are created on.
  const name = fields.isTyped || !session ? fields.name : deviceOf(session, t);
  const [isMissing, setMissing] = useState(false);
  const { send, ...status } = useSaga(addPasskey);
  const add = (body: OwnershipProof) => {
    setMissing(false);
    send({ ...body, name }, (made) => {
      setMissing(!made);
      if (!made) return;
      dialog.current?.close();
      write(emptyFields);
      dispatch(noticed({ text: t('passkeyAdded'), tone: 'good' }));
    });
  };
  return (
    <>
      <Button variant="default" mt={16} mb={8} onClick={() => dialog.current?.showModal()}>
        {t('addPasskey')}
      </Button>
      <ReauthenticationDialog
        ref={dialog}
        title={t('addPasskeyQuestion')}
        confirmLabel={t('addPasskey')}
        cancelLabel={t('notNow')}
        username={username}
        harmless
        status={isMissing ? failed(t('passkeyNotMade')) : status}
        onConfirm={add}
      >
        <p>{t('addPasskeyDescription')}</p>
        <LimitedTextInput
          mt={16}
          label={t('passkeyName')}
          placeholder={t('passkeyExample')}
          required
          withAsterisk={false}
          limit={textLimits.passkeyName}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget }) => write({ name: currentTarget.value, isTyped: true })}
        />
      </ReauthenticationDialog>
    </>
  );
}

/** The person's passkeys. */
export function Passkeys({ userId, username }: { userId: number; username: string }) {
  const t = useTranslations();
  const dispatch = useDispatch();
  const dialog = useRef<HTMLDialogElement>(null);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const query = useResource('listPasskeys', {});
  const [chosen, setChosen] = useState<Passkey | null>(null);
  const { send, ...removal } = useMutation('removePasskey');
  const choose = (passkey: Passkey) => {
    setChosen(passkey);
    dialog.current?.showModal();
  };
  return (
    <Section titleId="passkeys-title" title={t('passkeysTitle')}>
      <Text>{t('passkeysLead')}</Text>
      <div {...focusFallback}>
        <Loaded of={query} pending={<Skeleton height={24} />} empty={null}>
          {(passkeys) => (
            <ul className={classes.sessions}>
              {passkeys.map((passkey) => {
                const { id, name, madeAt, usedAt } = passkey;
                const made = formatTime(madeAt);
                return (
                  <li key={id} className={classes.session}>
                    <div>
                      <Text fw={600}>{name}</Text>
                      <Text size="sm" c="dimmed">
                        {usedAt
                          ? t('passkeyUsed', { made, used: formatTime(usedAt) })
                          : t('passkeyMade', { made })}
                      </Text>
                    </div>
                    <Button
                      variant="default"
                      aria-label={t('removePasskeyNamed', { name })}
                      onClick={() => choose(passkey)}
                    >
                      {t('removePasskey')}
                    </Button>
                  </li>
                );
              })}
            </ul>
          )}
        </Loaded>
      </div>
      {isPasskeyAddress() ? <AddPasskey username={username} /> : <Text mt={16}>{t('passkeyAddress')}</Text>}
      <ReauthenticationDialog
        ref={dialog}
        title={t('removePasskeyQuestion')}
        confirmLabel={t('removePasskey')}
        cancelLabel={t('notNow')}
        username={username}
        status={removal}
        onConfirm={(body) => {
          if (!chosen) return;
          const { id } = chosen;
          send({ params: { id }, body }, () => {
            dialog.current?.close();
            dispatch(noticed({ text: t('passkeyRemoved'), tone: 'good' }));
            const ids = query.data?.map((passkey) => passkey.id) ?? [];
            void signalPasskeys(
              userId,
              ids.filter((each) => each !== id),
            );
          });
        }}
      >
        <p>{t('removePasskeyDescription', { name: chosen?.name ?? '' })}</p>
      </ReauthenticationDialog>
    </Section>
  );
}
