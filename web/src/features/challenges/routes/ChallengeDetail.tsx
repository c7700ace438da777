import { useParams } from 'react-router-dom';
import { ChallengeView } from '../components/ChallengeView.tsx';
import { OneChallenge } from '../components/OneChallenge.tsx';
import { useChanged } from '../use-changed.ts';
import { useWatched } from '../use-watched.ts';

export default function ChallengeDetail() {
  const id = Number(useParams().id);
  useWatched(id);
  const changed = useChanged(id);
  return (
    <OneChallenge id={id}>
      {(challenge) => <ChallengeView challenge={challenge} changed={changed} />}
    </OneChallenge>
  );
}
