import { IconBell } from '@tabler/icons-react';
import { NavLink } from 'react-router-dom';
import { useCommonTranslations } from '../../shared/i18n/common.ts';
import { countText } from '../../shared/lib/count-text.ts';
import { useUnread } from '../../shared/lib/unread.ts';
import { CountBadge } from '../../shared/ui/CountBadge.tsx';
import classes from './Bell.module.css';
import { useTranslations } from './translations.ts';

/** What happened while one was away, and how much of it is unread. */
export function Bell() {
  const t = useTranslations();
  const common = useCommonTranslations();
  const { count } = useUnread();
  return (
    <NavLink
      to="/notifications"
      className={classes.bell ?? ''}
      aria-label={count > 0 ? t('notificationsWithNew', { waiting: countText(count) }) : t('notifications')}
    >
      <IconBell size={22} stroke={1.75} aria-hidden />
      <span className={classes.total}>
        <CountBadge count={count} label={common('newCount', { waiting: countText(count) })} />
      </span>
    </NavLink>
  );
}
