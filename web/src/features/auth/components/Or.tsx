import { useWords } from '../words.ts';
import classes from './AuthCard.module.css';

export function Or() {
  const t = useWords();
  return <div className={classes.or}>{t('or')}</div>;
}
