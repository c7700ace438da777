import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useCommonWords } from '../words/common.ts';

/** A password, which whoever types it can look at, by keyboard too. */
export function Password(props: PasswordInputProps) {
  const t = useCommonWords();
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('showTyped') }}
      {...props}
    />
  );
}

/** The password that an account has, asked for before what only its owner may do. */
export function CurrentPassword(props: PasswordInputProps) {
  return <Password name="currentPassword" autoComplete="current-password" {...props} />;
}

/** A password that an account is to have. */
export function NewPassword(props: PasswordInputProps) {
  return <Password minLength={8} autoComplete="new-password" {...props} />;
}
