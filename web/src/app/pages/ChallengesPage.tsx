import { Challenges } from '../../features/challenges/routes/Challenges.tsx';
import { lazyComponent } from '../../shared/lib/lazy-loading.ts';

const PlacePicker = lazyComponent(() => import('../../features/explore/components/PlacePicker.tsx'));

/** The challenges, with a form for a new one whose place can be chosen on the map. */
export default function ChallengesPage() {
  return <Challenges PlacePicker={PlacePicker} />;
}
