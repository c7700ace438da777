import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { addressSubmitted } from '../../../entities/auth/slice.ts';
import { useTranslations } from '../../../entities/auth/translations.ts';
import { FormError } from '../../../shared/ui/Message.tsx';
import { AuthCard, SuccessPanel, useRecovery } from '../components/AuthCard.tsx';

/** The page of a confirmation link. Requires a click, since programs follow links in mails, too. */
export default function ConfirmEmail() {
  const t = useTranslations();
  const { state, error, token, dispatch } = useRecovery();
  return (
    <AuthCard
      title={t('confirmTitle')}
      tab={t('confirmTitle')}
      lead={t('confirmLead')}
      footerLink={
        error ? (
          <Link to="/settings#email-title">{t('anotherLink')}</Link>
        ) : (
          <Link to="/home">{t('toHome')}</Link>
        )
      }
    >
      {state === 'ready' ? (
        <SuccessPanel>{t('confirmed')}</SuccessPanel>
      ) : (
        <>
          <Button
            fullWidth
            mb={16}
            loading={state === 'loading'}
            onClick={() => dispatch(addressSubmitted(token))}
          >
            {t('confirm')}
          </Button>
          <FormError>{error}</FormError>
        </>
      )}
    </AuthCard>
  );
}
