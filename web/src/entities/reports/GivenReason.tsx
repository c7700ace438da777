import { languageOf } from '../../shared/i18n/text-language.ts';
import classes from './Reports.module.css';
import { useTranslations } from './translations.ts';

/** What an admin wrote to the owner of content about a decision. */
export function GivenReason({ reason }: { reason: string }) {
  const t = useTranslations();
  return (
    <p className={classes.given}>
      <strong>{t('reasonGiven')}</strong>
      <span lang={languageOf(reason)}>{reason}</span>
    </p>
  );
}
