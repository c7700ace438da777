import { Page } from '../../../shared/ui/Page.tsx';
import { Board } from '../components/Board.tsx';
import { Hero } from '../components/Hero.tsx';
import { MapPicture } from '../components/MapPicture.tsx';
import { PodiumPicture } from '../components/PodiumPicture.tsx';
import { Story } from '../components/Story.tsx';
import { StreetPicture } from '../components/StreetPicture.tsx';
import { useTranslations } from '../translations.ts';
import classes from './Home.module.css';

export default function Home() {
  const t = useTranslations();
  return (
    <>
      <Hero />
      <Page>
        <Board />
        <div className={classes.stories}>
          <Story title={t('make')} picture={<MapPicture />}>
            {t('makeStory')}
          </Story>
          <Story title={t('compete')} picture={<PodiumPicture />}>
            {t('competeStory')}
          </Story>
          <Story title={t('explore')} picture={<StreetPicture />}>
            {t('exploreStory')}
          </Story>
        </div>
      </Page>
    </>
  );
}
