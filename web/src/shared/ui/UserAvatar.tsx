import { Avatar, type AvatarProps } from '@mantine/core';
import type { PublicUser } from '@wayquest/contracts';

interface Props extends Omit<AvatarProps, 'src'> {
  user: Pick<PublicUser, 'username' | 'avatar'>;
  /** Whether a missing picture shows initials, not an icon: in a button they would have to be part of its label. */
  hasInitials?: boolean;
}

/** The URL of the current generated picture: replicas may still contain that of an older version, which caches keep. */
const newest = (avatar: string) => avatar.replace(/^(explorer-\d+)\.svg$/, '$1-2.svg');

/** A person's picture. Their name is always next to it, so it is hidden from screen readers. */
export function UserAvatar({ user, hasInitials = true, ...props }: Props) {
  return (
    <Avatar
      src={user.avatar ? `/public/profile-pics/${newest(user.avatar)}` : null}
      alt=""
      color="purple"
      radius="50%"
      aria-hidden
      {...props}
    >
      {hasInitials && user.username.slice(0, 2).toUpperCase()}
    </Avatar>
  );
}
