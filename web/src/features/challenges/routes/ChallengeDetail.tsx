import { useParams } from 'react-router-dom';
import { ChallengeView } from '../components/ChallengeView.tsx';
import { OneChallenge } from '../components/OneChallenge.tsx';
import { useWatched } from '../use-watched.ts';

export default function ChallengeDetail() {
  const id = Number(useParams().id);
  useWatched(id);
  return <OneChallenge id={id}>{(challenge) => <ChallengeView challenge={challenge} />}</OneChallenge>;
}
