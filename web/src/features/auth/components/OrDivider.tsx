import { useTranslations } from '../translations.ts';
import classes from './AuthCard.module.css';

export function OrDivider() {
  const t = useTranslations();
  return <div className={classes.or}>{t('or')}</div>;
}
