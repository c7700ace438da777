import { Skeleton } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Pending } from './Pending.tsx';
import classes from './PersonCard.module.css';
import { UserAvatar } from './UserAvatar.tsx';

interface Props {
  user: PublicUser;
  /** The picture, if it shows more than the person. */
  avatar?: ReactNode;
  /** Text under the name. */
  children?: ReactNode;
  /** The actions on the person. */
  actions: ReactNode;
}

/** A user with actions; the name links to their profile. */
export function PersonCard({ user, avatar, children, actions }: Props) {
  return (
    <article className={classes.card}>
      <div className={classes.person}>
        {avatar ?? <UserAvatar user={user} size={64} />}
        <div className={classes.words}>
          <h2 className={classes.name}>
            <Link to={`/users/${user.id}`}>{user.username}</Link>
          </h2>
          {children}
        </div>
      </div>
      <div className={classes.actions}>{actions}</div>
    </article>
  );
}

interface GridProps {
  label: string;
  /** Whether people are rows on a phone: then the text of their button is only its accessible name. */
  rows?: boolean;
  children: ReactNode;
}

export function PersonGrid({ label, rows = false, children }: GridProps) {
  return (
    <ul className={`${classes.grid} ${rows ? classes.rows : ''}`} aria-label={label}>
      {children}
    </ul>
  );
}

export function PersonGridSkeleton({ count = 6, rows = false }: { count?: number; rows?: boolean }) {
  return (
    <Pending className={`${classes.grid} ${rows ? classes.rows : ''}`}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
        <Skeleton key={place} className={classes.placeholder ?? ''} radius="lg" />
      ))}
    </Pending>
  );
}
