import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Menu.layer.css';
import { Avatar, Menu, UnstyledButton } from '@mantine/core';
import { IconInbox, IconLogout, IconMessageCircle, IconUser, IconUsersGroup } from '@tabler/icons-react';
import { useDispatch, useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../features/auth/selectors.ts';
import { logoutRequested } from '../../features/auth/slice.ts';
import { UserAvatar } from '../../shared/ui/UserAvatar.tsx';
import classes from './UserMenu.module.css';

const links = [
  { to: '/Profile', label: 'Profile', Icon: IconUser },
  { to: '/Friends', label: 'Friends', Icon: IconUsersGroup },
  { to: '/FriendsInvitation', label: 'Friend Requests', Icon: IconInbox },
  { to: '/Messenger', label: 'Messenger', Icon: IconMessageCircle },
];

/** What belongs to the person themselves, behind their picture. */
export default function UserMenu() {
  const dispatch = useDispatch();
  const user = useSelector(selectUser);
  return (
    <Menu position="bottom-end" width={220} shadow="md" offset={8}>
      <Menu.Target>
        <UnstyledButton
          className={classes.target}
          aria-label={user ? `Menu of ${user.username}` : 'Your menu'}
        >
          {user ? <UserAvatar user={user} size={36} /> : <Avatar size={36} radius="50%" />}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {user && <Menu.Label>{user.username}</Menu.Label>}
        {links.map(({ to, label, Icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            className={classes.item ?? ''}
            leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          className={classes.item ?? ''}
          leftSection={<IconLogout size={18} stroke={1.75} aria-hidden />}
          onClick={() => dispatch(logoutRequested())}
        >
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
