import '@mantine/core/styles/Input.layer.css';
import { useSelector } from 'react-redux';
import { Navigate, useParams } from 'react-router-dom';
import { selectUser } from '../../../entities/auth/slice.ts';
import { ChallengeLoader } from '../components/ChallengeLoader.tsx';
import { EditForm } from '../components/EditForm.tsx';

/** For the creator of a challenge; others are redirected to it. */
export default function EditChallenge() {
  const id = Number(useParams().id);
  const user = useSelector(selectUser);
  return (
    <ChallengeLoader id={id}>
      {(challenge) =>
        challenge.creator.id === user?.id ? (
          <EditForm challenge={challenge} />
        ) : (
          <Navigate to={`/challenges/${id}`} replace />
        )
      }
    </ChallengeLoader>
  );
}
