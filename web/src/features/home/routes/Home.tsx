import { Page } from '../../../shared/ui/Page.tsx';
import { Hero } from '../components/Hero.tsx';
import { MapPicture } from '../components/MapPicture.tsx';
import { PodiumPicture } from '../components/PodiumPicture.tsx';
import { Story } from '../components/Story.tsx';
import { StreetPicture } from '../components/StreetPicture.tsx';

export default function Home() {
  return (
    <>
      <Hero />
      <Page>
        <Story title="Make challenges" picture={<MapPicture />}>
          You know the bench with the best view, the mural nobody notices, the library with the reading tree.
          Put a challenge there, say how hard it is to get to, and let others find out why you chose it.
        </Story>
        <Story title="Compete against friends" picture={<PodiumPicture />}>
          Every completed challenge earns points: ten for an easy stroll, thirty for a real outing. The
          leaderboard shows who has been out, and the top three stand on the podium for everyone to see.
        </Story>
        <Story title="Explore your local area" picture={<StreetPicture />}>
          You have walked past it a hundred times. Parks, museums, cinemas and corner restaurants around you
          become small adventures: pick one that is open, join, go there, and mark it as complete.
        </Story>
      </Page>
    </>
  );
}
