import '@mantine/core/styles/Input.layer.css';
import { Button, Stack, Text } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import type { FormEvent } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { selectAuthError } from '../../../entities/auth/slice.ts';
import { useTranslations as useReportTranslations } from '../../../entities/reports/translations.ts';
import { useCommonTranslations } from '../../../shared/i18n/common.ts';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { noticed } from '../../../shared/notice/notice-slice.ts';
import { LimitedTextarea, LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import { Page, PageTitle } from '../../../shared/ui/Page.tsx';
import { Password } from '../../../shared/ui/passwords.tsx';
import classes from '../Moderation.module.css';
import { useTranslations } from '../translations.ts';

/**
 * The appeal of a suspended person, who has no session: with the password, or with the proof that their login has just
 * left.
 */
export default function Appeal() {
  const t = useTranslations();
  const ofReports = useReportTranslations();
  const common = useCommonTranslations();
  const dispatch = useDispatch();
  const reason = useSelector(selectAuthError);
  const sending = useMutation('appealSuspension', { token: null });
  const isProven = useLocation().hash === '#proven';
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const textOf = (name: string) => String(data.get(name));
    const credentials = isProven ? {} : { username: textOf('username'), password: textOf('password') };
    const body = { ...credentials, comment: textOf('comment') };
    sending.send({ body }, () => dispatch(noticed({ text: ofReports('appealed'), tone: 'good' })));
  };
  return (
    <Page width="medium">
      <PageTitle>{t('suspended')}</PageTitle>
      <Text size="lg" mt={8} mb={16}>
        {reason} {t(isProven ? 'suspendedProven' : 'suspendedDescription')}
      </Text>
      <form className={classes.card} onSubmit={submitted} aria-label={t('appeal')}>
        <Stack gap={16}>
          {!isProven && (
            <>
              <LimitedTextInput
                limit={textLimits.loginName}
                name="username"
                label={common('username')}
                autoComplete="username"
                required
                withAsterisk={false}
              />
              <Password name="password" label={t('password')} autoComplete="current-password" />
            </>
          )}
          <LimitedTextarea
            name="comment"
            label={ofReports('appealComment')}
            rows={4}
            limit={textLimits.report}
            required
            withAsterisk={false}
          />
          <Button type="submit" loading={sending.state === 'loading'} disabled={sending.state === 'ready'}>
            {t('appeal')}
          </Button>
          <FormError>{sending.error}</FormError>
          <Link to="/login" className={classes.otherWay ?? ''}>
            {t(isProven ? 'proveAgain' : 'provenOtherwise')}
          </Link>
        </Stack>
      </form>
    </Page>
  );
}
