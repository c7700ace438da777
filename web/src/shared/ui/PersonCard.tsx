import { Skeleton } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Pending } from './Pending.tsx';
import classes from './PersonCard.module.css';
import { UserAvatar } from './UserAvatar.tsx';

interface Props {
  user: PublicUser;
  /** Text under the name. */
  children?: ReactNode;
  /** The actions on the person. */
  actions: ReactNode;
}

/** A user with actions; the name links to their profile. */
export function PersonCard({ user, children, actions }: Props) {
  return (
    <article className={classes.card}>
      <div className={classes.person}>
        <UserAvatar user={user} size={64} />
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

export function PersonGrid({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={classes.grid} aria-label={label}>
      {children}
    </ul>
  );
}

export function PersonGridSkeleton({ count = 6 }: { count?: number }) {
  return (
    <Pending className={classes.grid}>
      {Array.from({ length: count }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
        <Skeleton key={place} height={166} radius="lg" />
      ))}
    </Pending>
  );
}
