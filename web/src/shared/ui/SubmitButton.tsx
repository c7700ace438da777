import { Button, type ButtonProps, Text } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { currentLanguage } from '../i18n/catalogue.ts';
import { useFieldTranslations } from '../i18n/fields.ts';

interface Props extends ButtonProps {
  /** Labels of the fields that still have to be filled. */
  needed?: readonly string[];
  /** Whether a form for changes contains none. */
  isUnchanged?: boolean;
  children: ReactNode;
}

/** The submit button of a form, which is disabled, and says why, until the form can be sent. */
export function SubmitButton({ needed = [], isUnchanged = false, disabled, ...button }: Props) {
  const t = useFieldTranslations();
  const reasonId = useId();
  const format = new Intl.ListFormat(currentLanguage(), { style: 'narrow' });
  const reason =
    needed.length > 0
      ? t('stillNeeded', { fields: format.format(needed) })
      : isUnchanged && t('nothingChanged');
  return (
    <>
      <Button
        type="submit"
        disabled={disabled || Boolean(reason)}
        aria-describedby={reason ? reasonId : undefined}
        {...button}
      />
      {reason && (
        // Below a row of buttons, too.
        <Text id={reasonId} c="dimmed" size="sm" mt={4} w="100%" style={{ order: 1 }}>
          {reason}
        </Text>
      )}
    </>
  );
}
