import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import { useFieldTranslations } from '../i18n/fields.ts';
import { useLimitedField } from './limited-text.tsx';

/** A password field that can show what is typed, also by keyboard. */
export function Password({
  limit = textLimits.currentPassword,
  ...props
}: PasswordInputProps & { limit?: number }) {
  const t = useFieldTranslations();
  const { field } = useLimitedField<HTMLInputElement>({ ...props, limit }, false);
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('showTyped') }}
      {...props}
      {...field}
    />
  );
}

/** The account's current password, required for changes that only its owner may make. */
export function CurrentPassword(props: PasswordInputProps) {
  return <Password name="currentPassword" autoComplete="current-password" {...props} />;
}

/** A new password. */
export function NewPassword(props: PasswordInputProps) {
  return <Password minLength={8} limit={textLimits.password} autoComplete="new-password" {...props} />;
}
