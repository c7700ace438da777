import { cropPicture } from '@wayquest/platform/pictures';
import type { ServiceKit } from '@wayquest/platform/service';
import { dropIndex, type Migration, moveCollection, pagesById, renameFields } from '@wayquest/platform/store';
import { participationModel, photoModel, type StoredParticipation } from './participation.model.ts';
import { type ChallengePictures, thumbnailSize } from './pictures.ts';

// All but the pictures of challenges are for stores of version 0.1.0. Removed with 0.3.0, which reads those of 0.2.0 only.

/** Renames who may see a person's map of completed challenges, `shownTo`. */
export const trailVisibility = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '001-trail-visibility',
  async run() {
    await renameFields(connection, 'trail_maps', { shownTo: 'visibility' });
  },
});

/** Stores participations by that name; version 0.1.0 called them lines. */
export const participationNames = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '002-participations',
  async run() {
    await moveCollection(connection, 'lines', 'participations');
    await renameFields(connection, 'photos', { lineId: 'participationId' });
    await dropIndex(connection, 'photos', 'lineId_1');
  },
});

/** Stores why a completion is flagged by the name that the event and the list of flagged points have for it. */
export const flagReasonName = ({ connection }: Pick<ServiceKit, 'connection'>): Migration => ({
  name: '003-flag-reason',
  run: () => renameFields(connection, 'participations', { doubt: 'flagReason' }),
});

/** How many photos are read at once: their thumbnails are made one after the other. */
const batch = 100;

/**
 * Makes the photos of version 0.2.0 pictures of their challenges, with a thumbnail each. Takes about 20 ms for a photo.
 * Removed with 0.4.0.
 */
export const challengePictures = (
  { connection }: Pick<ServiceKit, 'connection'>,
  pictures: Pick<ChallengePictures, 'refresh'>,
): Migration => ({
  name: '004-challenge-pictures',
  async run() {
    const Participations = participationModel(connection);
    const Photos = photoModel(connection);
    const withPhoto = pagesById<Pick<StoredParticipation, '_id' | 'challengeId' | 'photo'>>((after) =>
      Participations.find({ ...after, photo: { $type: 'string' } }, { challengeId: 1, photo: 1 })
        .sort({ _id: 1 })
        .limit(batch)
        .lean(),
    );
    for await (const found of withPhoto) {
      for (const { challengeId, photo } of found) {
        const stored = await Photos.findOne({ _id: photo, thumbnail: null }, { data: 1 });
        if (stored) {
          const thumbnail = await cropPicture(stored.data, thumbnailSize);
          await Photos.updateOne({ _id: stored._id }, { $set: { thumbnail } });
        }
        await pictures.refresh(challengeId);
      }
    }
    await dropIndex(connection, 'photos', 'challengeId_1');
  },
});
