/** Why somebody reports something. */
export const reportReasons = ['spam', 'abuse', 'danger', 'privacy', 'false', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** The most words with a report, an appeal or a decision. */
export const longestReport = 500;
