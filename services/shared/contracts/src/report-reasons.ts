/** Reasons of reports. */
export const reportReasons = ['spam', 'abuse', 'danger', 'privacy', 'false', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];
