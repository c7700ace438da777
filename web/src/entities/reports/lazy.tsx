import type { Challenge } from '@wayquest/contracts';
import { Suspense } from 'react';
import { lazyExtra } from '../../shared/lib/lazy-extra.ts';
import type { ReportProps } from './ReportButton.tsx';

const Report = lazyExtra(async () => (await import('./ReportButton.tsx')).ReportButton);
const AboutChallenge = lazyExtra(async () => (await import('./OfChallenge.tsx')).OfChallenge);
const Banner = lazyExtra(async () => (await import('./HiddenBanner.tsx')).HiddenBanner);

/** The way to report something. Its code comes after the page's. */
export const ReportLater = (subject: ReportProps) => (
  <Suspense fallback={null}>
    <Report {...subject} />
  </Suspense>
);

/** The same for a challenge, which the owner of its place can ask to go. */
export const ReportChallengeLater = ({ challenge }: { challenge: Challenge }) => (
  <Suspense fallback={<div style={{ height: 76 }} />}>
    <AboutChallenge challenge={challenge} />
  </Suspense>
);

/** Says that a challenge is hidden, where it is. */
export const HiddenLater = ({ challenge }: { challenge: Challenge }) =>
  challenge.status === 'hidden' && (
    <Suspense fallback={<div style={{ height: 100 }} />}>
      <Banner challenge={challenge} />
    </Suspense>
  );
