import type { Challenge } from '@wayquest/contracts';
import { Suspense } from 'react';
import { lazyOptional } from '../../shared/lib/lazy-loading.ts';
import type { ReportProps } from './ReportButton.tsx';

const Report = lazyOptional(async () => (await import('./ReportButton.tsx')).ReportButton);
const Dialog = lazyOptional(async () => (await import('./ReportButton.tsx')).ReportDialog);
const AboutChallenge = lazyOptional(
  async () => (await import('./ChallengeReportActions.tsx')).ChallengeReportActions,
);
const Banner = lazyOptional(async () => (await import('./HiddenBanner.tsx')).HiddenBanner);

/** The report button, whose code is loaded after the page. */
export const LazyReportButton = (subject: ReportProps) => (
  <Suspense fallback={null}>
    <Report {...subject} />
  </Suspense>
);

/** The form of a report without a button, for menus. */
export const LazyReportDialog = (props: ReportProps & { onClose: () => void }) => (
  <Suspense fallback={null}>
    <Dialog {...props} />
  </Suspense>
);

/** The button for a challenge, whose removal the place's owner can also request. */
export const LazyChallengeReportActions = ({ challenge }: { challenge: Challenge }) => (
  <Suspense fallback={<div style={{ height: 76 }} />}>
    <AboutChallenge challenge={challenge} />
  </Suspense>
);

/** The banner of a hidden challenge, loaded when there is one. */
export const LazyHiddenBanner = ({ challenge }: { challenge: Challenge }) =>
  challenge.status === 'hidden' && (
    <Suspense fallback={<div style={{ height: 100 }} />}>
      <Banner challenge={challenge} />
    </Suspense>
  );
