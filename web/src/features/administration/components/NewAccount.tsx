import { Button } from '@mantine/core';
import { textLimits } from '@wayquest/contracts';
import { type FormEvent, useState } from 'react';
import { useMutation } from '../../../shared/lib/use-mutation.ts';
import { LimitedTextInput } from '../../../shared/ui/limited-text.tsx';
import { FormError } from '../../../shared/ui/Message.tsx';
import classes from '../Administration.module.css';
import { useTranslations } from '../translations.ts';
import { passwordPath, Secret } from './Secret.tsx';

const emptyFields = { username: '', email: '' };

/** Creates an account for somebody. */
export function NewAccount() {
  const t = useTranslations();
  const creating = useMutation('createAccount');
  const [fields, setFields] = useState(emptyFields);
  const [result, setResult] = useState<{ path: string | undefined; text: string }>();
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    const { username, email } = fields;
    setResult(undefined);
    creating.send({ body: { username, ...(email && { email }) } }, ({ account, token, mailedTo = '' }) => {
      setFields(emptyFields);
      setResult({
        path: passwordPath({ token }),
        text: token
          ? t('created', { username: account.username })
          : t('createdMailed', { username: account.username, email: mailedTo }),
      });
    });
  };
  return (
    <section className={classes.card} aria-label={t('create')}>
      <h2>{t('create')}</h2>
      <p className={classes.quiet}>{t('createLead')}</p>
      <form className={classes.form} onSubmit={submitted} aria-label={t('create')}>
        <LimitedTextInput
          limit={textLimits.username}
          name="username"
          label={t('username')}
          description={t('usernameHint')}
          required
          withAsterisk={false}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={fields.username}
          onChange={({ currentTarget }) => setFields({ ...fields, username: currentTarget.value })}
        />
        <LimitedTextInput
          limit={textLimits.email}
          type="email"
          name="email"
          label={t('email')}
          autoComplete="off"
          value={fields.email}
          onChange={({ currentTarget }) => setFields({ ...fields, email: currentTarget.value })}
        />
        <Button type="submit" loading={creating.state === 'loading'}>
          {t('createButton')}
        </Button>
      </form>
      <FormError>{creating.error}</FormError>
      {result && <Secret path={result.path}>{result.text}</Secret>}
    </section>
  );
}
