import { Button, Skeleton, Text } from '@mantine/core';
import { type Passkey, textLimits } from '@wayquest/contracts';
import { useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { usePersistedFields } from '../../../entities/auth/form-draft.ts';
import { formatTime } from '../../../shared/lib/days.ts';
import { createPasskey, isPasskeyAddress, signalPasskeys } from '../../../shared/lib/passkeys.ts';
import { failed } from '../../../shared/lib/request-status.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { useQuery } from '../../../shared/lib/use-query.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { Failure } from '../../../shared/ui/Message.tsx';
import { Pending } from '../../../shared/ui/Pending.tsx';
import { Section } from '../../../shared/ui/Section.tsx';
import { useFocusFallback } from '../../../shared/ui/use-focus-fallback.ts';
import { useTranslations } from '../translations.ts';
import classes from './Account.module.css';
import { type OwnershipProof, ReauthenticationDialog } from './ReauthenticationDialog.tsx';

/** Creates a passkey in the browser, with a name that its owner chooses. */
function AddPasskey({ username, onAdded }: { username: string; onAdded: (made: Passkey) => void }) {
  const t = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ name }, write] = usePersistedFields('passkey', { name: '' });
  const [isMissing, setMissing] = useState(false);
  const { mutate, ...status } = useMutation();
  const add = (body: OwnershipProof) => {
    setMissing(false);
    void mutate(
      async (client) => {
        const credential = await createPasskey(await client.startPasskey({ body }));
        return credential && client.addPasskey({ body: { name, credential } });
      },
      (made) => {
        setMissing(!made);
        if (!made) return;
        dialog.current?.close();
        write({ name: '' });
        onAdded(made);
      },
    );
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
          onChange={({ currentTarget }) => write({ name: currentTarget.value })}
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
  const query = useQuery('passkeys', (client) => client.listPasskeys());
  const [changed, setChanged] = useState<Passkey[] | null>(null);
  const [chosen, setChosen] = useState<Passkey | null>(null);
  const { mutate, ...removal } = useMutation();
  const passkeys = changed ?? query.data;

  const set = (list: Passkey[], text: string) => {
    setChanged(list);
    dispatch(noticed({ text, tone: 'good' }));
  };
  const choose = (passkey: Passkey) => {
    setChosen(passkey);
    dialog.current?.showModal();
  };
  const others = (id: string) => (passkeys ?? []).filter((passkey) => passkey.id !== id);
  return (
    <Section titleId="passkeys-title" title={t('passkeysTitle')}>
      <Text>{t('passkeysLead')}</Text>
      <div {...focusFallback}>
        {query.state === 'failed' && <Failure onRetry={query.refetch}>{query.error}</Failure>}
        {query.state !== 'failed' && !passkeys && (
          <Pending>
            <Skeleton height={24} />
          </Pending>
        )}
        {passkeys && passkeys.length > 0 && (
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
      </div>
      {isPasskeyAddress() ? (
        <AddPasskey
          username={username}
          onAdded={(made) => set([...others(made.id), made], t('passkeyAdded'))}
        />
      ) : (
        <Text mt={16}>{t('passkeyAddress')}</Text>
      )}
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
          void mutate(
            (client) => client.removePasskey({ params: { id }, body }),
            () => {
              dialog.current?.close();
              const left = others(id);
              set(left, t('passkeyRemoved'));
              void signalPasskeys(
                userId,
                left.map((passkey) => passkey.id),
              );
            },
          );
        }}
      >
        <p>{t('removePasskeyDescription', { name: chosen?.name ?? '' })}</p>
      </ReauthenticationDialog>
    </Section>
  );
}
