import { useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { BlockPerson } from '../../features/blocks/BlockPerson.tsx';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { PublicProfile } from '../../features/users/routes/PublicProfile.tsx';
import { selectUserById, type usersSlice } from '../../features/users/slice.ts';

type State = Parameters<typeof usersSlice.selectSlice>[0];

/** Somebody's page, with their trail book below, and the way to block them. */
export default function PublicProfilePage() {
  const id = Number(useParams().id);
  const user = useSelector((state: State) => selectUserById(state, id));
  return (
    <PublicProfile>
      <TrailBook key={id} userId={id} />
      {user && <BlockPerson key={`block ${id}`} user={user} />}
    </PublicProfile>
  );
}
