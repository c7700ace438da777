import { Avatar, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconBell,
  IconFlag,
  IconInbox,
  IconLogout,
  IconMessageCircle,
  IconUser,
  IconUserCog,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Link, NavLink } from 'react-router-dom';
import { logoutRequested, selectUser } from '../../entities/auth/slice.ts';
import { selectUnreadMessages } from '../../entities/conversations/slice.ts';
import { selectIncomingCount } from '../../entities/friends/slice.ts';
import { countText, useUnreadNotifications } from '../../shared/lib/unread-notifications.ts';
import { browserUnsentItems } from '../../shared/lib/unsent-items.ts';
import { ConfirmDialog } from '../../shared/ui/ConfirmDialog.tsx';
import { CountBadge } from '../../shared/ui/CountBadge.tsx';
import { UserAvatar } from '../../shared/ui/UserAvatar.tsx';
import bellClasses from './Bell.module.css';
import navigationClasses from './Navigation.module.css';
import { useTranslations } from './translations.ts';
import classes from './UserMenu.module.css';

const links = [
  { to: '/Profile', label: 'profile', Icon: IconUser },
  { to: '/Friends', label: 'friends', Icon: IconUsersGroup },
  { to: '/FriendsInvitation', label: 'friendRequests', Icon: IconInbox, waiting: 'requests' },
  { to: '/Messenger', label: 'messenger', Icon: IconMessageCircle, waiting: 'messages' },
] as const;

/** How the counts of the menu are named. */
const countKeys = { requests: 'waitingRequests', messages: 'unreadMessages' } as const;

const adminLinks = [
  { to: '/moderation', label: 'reports', Icon: IconFlag },
  { to: '/admin/accounts', label: 'accounts', Icon: IconUserCog },
] as const;

/** Names what a badge counts; the name contains what the badge shows, for voice control. */
const nameOf = (total: number, labels: string[]): string => {
  const shown = countText(total);
  return labels.length > 1 || shown !== String(total) ? `${shown}: ${labels.join(', ')}` : labels.join();
};

/** Link to the notifications, with the unread count. */
function Bell() {
  const t = useTranslations();
  const count = useUnreadNotifications();
  const label = nameOf(count, [t('unreadNotifications', { count })]);
  return (
    <NavLink
      to="/notifications"
      className={bellClasses.bell ?? ''}
      aria-label={count > 0 ? label : t('notifications')}
    >
      <IconBell size={22} stroke={1.75} aria-hidden />
      <span className={bellClasses.total}>
        <CountBadge count={count} label={label} />
      </span>
    </NavLink>
  );
}

/** The number of unread messages in the bar of a phone. */
export function UnreadMessages() {
  const t = useTranslations();
  const count = useSelector(selectUnreadMessages);
  return (
    <span className={navigationClasses.count}>
      <CountBadge count={count} label={t('unreadMessages', { count })} />
    </span>
  );
}

/** How much of what a person did would be lost by a logout. Drafts are not counted: nobody was promised that they are sent. */
const countUnsent = (userId: number): number =>
  (['completion', 'message', 'entry'] as const)
    .map((kind) => browserUnsentItems.list(userId, kind).length)
    .reduce((sum, count) => sum + count);

/** The user menu behind the avatar, as a native popover: Escape and a click elsewhere close it. */
export function UserMenu() {
  const t = useTranslations();
  const dispatch = useDispatch();
  const user = useSelector(selectUser);
  // On a phone Messenger is in the bar instead.
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const requests = useSelector(selectIncomingCount);
  const messages = useSelector(selectUnreadMessages);
  const counts = { requests, messages: isPhone ? 0 : messages };
  const labelOf = (kind: keyof typeof counts) => t(countKeys[kind], { count: counts[kind] });
  const labels = (['messages', 'requests'] as const).filter((kind) => counts[kind] > 0).map(labelOf);
  const total = counts.requests + counts.messages;
  const waiting = nameOf(total, labels);
  const items = links.filter(({ label }) => !(isPhone && label === 'messenger'));
  const menu = user ? t('menuOf', { username: user.username }) : t('yourMenu');
  const popover = useRef<HTMLDivElement>(null);
  const close = () => popover.current?.hidePopover();
  const logoutQuestion = useRef<HTMLDialogElement>(null);
  const [unsentCount, setUnsentCount] = useState(0);
  const logOut = () => {
    close();
    const count = user ? countUnsent(user.id) : 0;
    setUnsentCount(count);
    if (count > 0) logoutQuestion.current?.showModal();
    else dispatch(logoutRequested());
  };
  return (
    <>
      <Bell />
      <UnstyledButton
        className={classes.target}
        popoverTarget="user-menu"
        aria-label={total > 0 ? t('menuWithNew', { menu, waiting }) : menu}
      >
        {user ? <UserAvatar user={user} size={36} hasInitials={false} /> : <Avatar size={36} radius="50%" />}
        <span className={classes.total}>
          <CountBadge count={total} label={labels.join(', ')} />
        </span>
      </UnstyledButton>
      <div ref={popover} id="user-menu" popover="auto" className={classes.menu}>
        {user && <p className={classes.name}>{user.username}</p>}
        {[...items, ...(user?.admin ? adminLinks : [])].map(({ to, label, Icon, ...link }) => (
          <Link key={to} to={to} className={classes.item} onClick={close}>
            <Icon size={20} stroke={1.75} aria-hidden />
            <span className={classes.label}>{t(label)}</span>
            {'waiting' in link && <CountBadge count={counts[link.waiting]} label={labelOf(link.waiting)} />}
          </Link>
        ))}
        <UnstyledButton className={classes.item} onClick={logOut}>
          <IconLogout size={20} stroke={1.75} aria-hidden />
          {t('logOut')}
        </UnstyledButton>
      </div>
      <ConfirmDialog
        ref={logoutQuestion}
        title={t('logOutUnsent')}
        confirmLabel={t('logOutAnyway')}
        cancelLabel={t('stay')}
        busy={false}
        onConfirm={() => {
          logoutQuestion.current?.close();
          dispatch(logoutRequested());
        }}
      >
        <p>{t('unsentIsLost', { count: unsentCount })}</p>
      </ConfirmDialog>
    </>
  );
}
