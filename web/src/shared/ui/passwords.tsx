import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** The password that an account has, asked for before what only its owner may do. */
export function CurrentPassword(props: PasswordInputProps) {
  return (
    <PasswordInput
      name="currentPassword"
      required
      withAsterisk={false}
      autoComplete="current-password"
      {...props}
    />
  );
}

/** A password that an account is to have. */
export function NewPassword(props: PasswordInputProps) {
  return <PasswordInput required withAsterisk={false} minLength={8} autoComplete="new-password" {...props} />;
}
