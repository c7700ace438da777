import { mailSettings } from '@wayquest/platform/mail';
import { redisUrlSetting, wholeNumber } from '@wayquest/platform/process';

/** Settings of the moderation service, besides those of every service. */
export const settings = mailSettings.extend({
  REDIS_URL: redisUrlSetting,
  REPORTS_PER_MINUTE: wholeNumber({ min: 1 })
    .default(5)
    .describe('How many things one person may report in a minute.'),
  REPORTS_PER_DAY: wholeNumber({ min: 1 })
    .default(30)
    .describe('How many things one person may report in a day.'),
  REPORTER_DAYS: wholeNumber({ min: 0 })
    .default(3)
    .describe('How many days old an account has to be for its reports to count towards hiding a challenge.'),
  PLACE_REQUESTS_PER_DAY: wholeNumber({ min: 1 })
    .default(5)
    .describe('How often owners of places at one network may ask in a day for a challenge to go.'),
  PLACE_ANSWER_DAYS: wholeNumber({ min: 1 })
    .default(7)
    .describe('In how many days owners of places are promised an answer.'),
});
