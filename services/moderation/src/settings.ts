import { limits } from '@wayquest/platform/core';
import { mailSettings } from '@wayquest/platform/mail';
import { limitSetting, redisUrlSetting, wholeNumber } from '@wayquest/platform/process';

/** Settings of the moderation service, besides those of every service. */
export const settings = mailSettings.extend({
  REDIS_URL: redisUrlSetting,
  REPORTS_PER_MINUTE: limitSetting(limits.reportsPerMinute),
  REPORTS_PER_DAY: limitSetting(limits.reportsPerDay),
  REPORTER_DAYS: wholeNumber({ min: 0 })
    .default(3)
    .describe('The minimum age of an account in days for its reports to count toward automatic hiding.'),
  PLACE_REQUESTS_PER_DAY: limitSetting(limits.placeRequests),
  PLACE_ANSWER_DAYS: wholeNumber({ min: 1 })
    .default(7)
    .describe('Number of days within which owners of places are promised a response.'),
});
