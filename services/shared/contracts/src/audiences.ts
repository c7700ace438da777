/** Audiences, smallest first; also the relation of a reader to a person. */
export const audiences = ['me', 'friends', 'everybody'] as const;
type Audience = (typeof audiences)[number];

/** Whether a reader belongs to an audience: the one rule of all privacy settings. */
export const isVisibleTo = (visibility: Audience, reader: Audience): boolean =>
  audiences.indexOf(reader) <= audiences.indexOf(visibility);
