import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { textLimits } from '@wayquest/contracts';
import { Link } from 'react-router-dom';
import { linkSubmitted } from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { AuthCard, SuccessPanel, useRecovery } from '../components/AuthCard.tsx';

/** Requests a link to reset the password. */
export default function Forgot() {
  const t = useTranslations();
  const { state, error, dispatch } = useRecovery();
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  return (
    <AuthCard
      title={t('forgotTitle')}
      tab={t('forgotTitle')}
      lead={t('forgotLead')}
      footerLink={<Link to="/login">{t('backToLogin')}</Link>}
    >
      {state === 'ready' ? (
        <SuccessPanel>{t('linkSent')}</SuccessPanel>
      ) : (
        <form
          aria-label={t('forgotTitle')}
          onSubmit={form.onSubmit(({ email }) => {
            dispatch(linkSubmitted(email));
          })}
        >
          <Stack gap={16}>
            <LimitedTextInput
              limit={textLimits.email}
              type="email"
              name="email"
              label={t('email')}
              required
              withAsterisk={false}
              autoComplete="email"
              key={form.key('email')}
              {...form.getInputProps('email')}
            />
            <Button type="submit" loading={state === 'loading'} fullWidth mt={4}>
              {t('sendLink')}
            </Button>
            <FormError>{error}</FormError>
          </Stack>
        </form>
      )}
    </AuthCard>
  );
}
