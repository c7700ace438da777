import { useForm } from '@mantine/form';
import { type ReactNode, type RefObject, useEffect, useId } from 'react';
import { useSelector } from 'react-redux';
import type { RequestStatus } from '../../../shared/lib/request-status.ts';
import { ConfirmDialog } from '../../../shared/ui/ConfirmDialog.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { CurrentPassword } from '../../../shared/ui/passwords.tsx';
import { selectAccount } from '../slice.ts';
import { useTranslations } from '../translations.ts';

/** Proof of ownership; empty for an account without a password. */
export interface OwnershipProof {
  currentPassword?: string;
}

interface Props {
  ref: RefObject<HTMLDialogElement | null>;
  title: string;
  confirmLabel: string;
  cancelLabel: string;
  username: string;
  harmless?: boolean;
  status: RequestStatus;
  onConfirm: (claim: OwnershipProof) => void;
  children: ReactNode;
}

/** Asks for confirmation and, if the account has one, the password. */
export function ReauthenticationDialog({ username, status, onConfirm, children, ...dialogProps }: Props) {
  const t = useTranslations();
  const formId = useId();
  const { hasPassword = true } = useSelector(selectAccount) ?? {};
  const form = useForm({ initialValues: { currentPassword: '' } });
  const { reset } = form;
  useEffect(() => {
    if (status.state === 'ready') reset();
  }, [status.state, reset]);
  return (
    <ConfirmDialog {...dialogProps} busy={status.state === 'loading'} onConfirm={formId}>
      <form id={formId} onSubmit={form.onSubmit((given) => onConfirm(hasPassword ? given : {}))}>
        {children}
        {hasPassword && (
          <>
            <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
            <CurrentPassword
              label={t('currentPassword')}
              mt={16}
              mb={8}
              {...form.getInputProps('currentPassword')}
            />
          </>
        )}
        <FormError>{status.error}</FormError>
      </form>
    </ConfirmDialog>
  );
}
