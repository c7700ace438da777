import { challengeNameIn, fillInChinese, isolateDirection } from '@wayquest/contracts';
import type { Mailer, MailLanguage } from '@wayquest/platform/mail';
import type { ServiceKit } from '@wayquest/platform/service';
import type { Site } from '@wayquest/platform/settings';
import { type CaseDocument, reportModel } from './case.model.ts';
import { moderationMetrics } from './metrics.ts';

interface MailText {
  subject: string;
  greeting: string;
  about(title: string): string;
  kept: string;
  removed: string;
  addressNote: string;
}

/** The texts for the name of an installation. */
const mailTexts: Record<MailLanguage, (site: string) => MailText> = {
  en: (site) => ({
    subject: `About your place on ${site}`,
    greeting: 'Hello,',
    about: (title) =>
      `You asked us to review the challenge "${title}" on ${site}, which is about your place.`,
    kept: 'We reviewed it and found no reason to remove it, so it stays.',
    removed: 'We reviewed it, and it is no longer shown.',
    addressNote: 'We stored your email address only for this reply, and have now deleted it.',
  }),
  zh: (site) => ({
    subject: `关于你在${site}上的地点`,
    greeting: '你好：',
    about: (title) => `你曾请我们审核${site}上的挑战“${title}”，它涉及你的地点。`,
    kept: '我们已经审核，没有发现需要移除的理由，因此它会保持原样。',
    removed: '我们已经审核，它不会再显示。',
    addressNote: '你的邮箱地址只为这次答复而保存，现已删除。',
  }),
};

/** Sends owners of places the outcome of their request; their address is deleted with it. */
export interface OutcomeMails {
  /** Sends the outcome to everybody who requested it until a time, once each. */
  send(moderationCase: Pick<CaseDocument, '_id' | 'snapshot' | 'state'>, until: Date): Promise<void>;
}

/** Creates the mails to people who reported without an account. */
export function createOutcomeMails({
  kit: { connection, clock },
  mailer,
  site,
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  mailer: Pick<Mailer, 'send'>;
  site: Site;
}): OutcomeMails {
  const Reports = reportModel(connection);
  const name = isolateDirection(site.name);
  const texts = {
    en: mailTexts.en(name),
    // With the spaces that a name beside Chinese characters needs.
    zh: mailTexts.zh(fillInChinese(' {site} ', () => name)),
  };

  const textOf = (
    { snapshot: { title: original, template }, state }: Pick<CaseDocument, 'snapshot' | 'state'>,
    language: MailLanguage,
  ): string => {
    const { greeting, about, kept, removed, addressNote } = texts[language];
    const title = challengeNameIn(language, { name: original, template });
    return [greeting, about(title), state === 'live' ? kept : removed, addressNote].join('\n\n');
  };

  return {
    async send(moderationCase: Pick<CaseDocument, '_id' | 'snapshot' | 'state'>, until: Date): Promise<void> {
      const waiting = { caseId: moderationCase._id, at: { $lte: until }, email: { $ne: null } };
      for (;;) {
        const report = await Reports.findOneAndUpdate(waiting, { $unset: { email: 1, language: 1 } }).lean();
        if (!report?.email) return;
        const inTime = !report.respondBy || report.respondBy.getTime() >= clock.now();
        moderationMetrics.answered.inc({ in_time: inTime ? 'yes' : 'no' });
        const language = report.language ?? site.language;
        const { subject } = texts[language];
        mailer.send({ to: report.email, subject, text: textOf(moderationCase, language) });
      }
    },
  };
}
