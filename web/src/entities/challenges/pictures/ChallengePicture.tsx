import type { ChallengeDetails } from '@wayquest/contracts';
import { ChallengePhoto } from './ChallengePhoto.tsx';
import { PlacePicture } from './PlacePicture.tsx';
import type { Look } from './variation.ts';

interface Props {
  challenge: ChallengeDetails;
  /** On a page's whole width. */
  wide?: boolean;
  /** How the drawing looks in this list; by default as everywhere else. */
  look?: Look | undefined;
}

/** The picture of a challenge: a photo of its log, or a drawing until there is one. */
export const ChallengePicture = ({ challenge, wide = false, look }: Props) => (
  <ChallengePhoto challenge={challenge} wide={wide}>
    <PlacePicture challenge={challenge} wide={wide} look={look} />
  </ChallengePhoto>
);
