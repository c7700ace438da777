import { useParams } from 'react-router-dom';
import { TrailBook } from '../../features/trail/TrailBook.tsx';
import { PublicProfile } from '../../features/users/routes/PublicProfile.tsx';

/** Somebody's page, with their trail book below. */
export default function PublicProfilePage() {
  const id = Number(useParams().id);
  return (
    <PublicProfile>
      <TrailBook key={id} userId={id} />
    </PublicProfile>
  );
}
