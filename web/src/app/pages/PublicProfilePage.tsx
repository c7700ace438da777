import { Box, Group } from '@mantine/core';
import { useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { selectUser } from '../../entities/auth/slice.ts';
import { LazyReportButton } from '../../entities/reports/lazy.tsx';
import { DeleteAllOf } from '../../features/admin/DeleteAllOf.tsx';
import { BlockPerson } from '../../features/blocks/BlockPerson.tsx';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { PublicProfile } from '../../features/users/routes/PublicProfile.tsx';
import { selectUserById, type usersSlice } from '../../features/users/slice.ts';

type State = Parameters<typeof usersSlice.selectSlice>[0];

/** Somebody's page, with their trail book below, the way to block them and, for admins, to take away what they made. */
export default function PublicProfilePage() {
  const id = Number(useParams().id);
  const me = useSelector(selectUser);
  const user = useSelector((state: State) => selectUserById(state, id));
  return (
    <PublicProfile>
      <TrailBook key={id} userId={id} />
      {user && me && me.id !== user.id && (
        <Group justify="center" gap={8} mih={44} mt={24}>
          {/* As wide as what comes, so that nothing moves. */}
          <Box miw={108} ta="end">
            <LazyReportButton key={`report ${id}`} kind="user" id={id} />
          </Box>
          <BlockPerson key={`block ${id}`} user={user} />
        </Group>
      )}
      {user && <DeleteAllOf key={`delete ${id}`} user={user} />}
    </PublicProfile>
  );
}
