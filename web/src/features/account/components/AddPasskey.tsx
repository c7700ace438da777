import { Button } from '@mantine/core';
import { type Passkey, textLimits } from '@wayquest/contracts';
import { useRef, useState } from 'react';
import { useKeptFields } from '../../../entities/auth/form-draft.ts';
import { makePasskey } from '../../../shared/lib/passkeys.ts';
import { failed } from '../../../shared/lib/request-status.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { useTranslations } from '../translations.ts';
import { type OwnerClaim, OwnerDialog } from './OwnerDialog.tsx';

/** Creates a passkey in the browser, with a name that its owner chooses. */
export function AddPasskey({ username, onAdded }: { username: string; onAdded: (made: Passkey) => void }) {
  const t = useTranslations();
  const dialog = useRef<HTMLDialogElement>(null);
  const [{ name }, write] = useKeptFields('passkey', { name: '' });
  const [isMissing, setMissing] = useState(false);
  const { make, ...status } = useMutation();
  const add = (body: OwnerClaim) => {
    setMissing(false);
    void make(
      async (client) => {
        const credential = await makePasskey(await client.startPasskey({ body }));
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
      <OwnerDialog
        ref={dialog}
        title={t('addPasskeySure')}
        confirmLabel={t('addPasskey')}
        cancelLabel={t('notNow')}
        username={username}
        harmless
        status={isMissing ? failed(t('passkeyNotMade')) : status}
        onConfirm={add}
      >
        <p>{t('addPasskeyMeans')}</p>
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
      </OwnerDialog>
    </>
  );
}
