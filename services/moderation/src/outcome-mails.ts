import { challengeNameIn } from '@wayquest/contracts';
import type { Mailer, MailLanguage } from '@wayquest/platform/mail';
import type { ServiceKit } from '@wayquest/platform/service';
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

const mailTexts: Record<MailLanguage, MailText> = {
  en: {
    subject: 'About your place on Wayquest',
    greeting: 'Hello,',
    about: (title) =>
      `You asked us to review the challenge "${title}" on Wayquest, which is about your place.`,
    kept: 'We reviewed it and found no reason to remove it, so it stays.',
    removed: 'We reviewed it, and it is no longer shown.',
    addressNote: 'We stored your email address only for this reply, and have now deleted it.',
  },
  zh: {
    subject: '关于你在 Wayquest 上的地点',
    greeting: '你好：',
    about: (title) => `你曾请我们审核 Wayquest 上的挑战“${title}”，它涉及你的地点。`,
    kept: '我们已经审核，没有发现需要移除的理由，因此它会保持原样。',
    removed: '我们已经审核，它不会再显示。',
    addressNote: '你的邮箱地址只为这次答复而保存，现已删除。',
  },
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
}: {
  kit: Pick<ServiceKit, 'connection' | 'clock'>;
  mailer: Pick<Mailer, 'send'>;
}): OutcomeMails {
  const Reports = reportModel(connection);

  const textOf = (
    { snapshot: { title: name, template }, state }: Pick<CaseDocument, 'snapshot' | 'state'>,
    language: MailLanguage,
  ): string => {
    const { greeting, about, kept, removed, addressNote } = mailTexts[language];
    const title = challengeNameIn(language, { name, template });
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
        const language = report.language ?? 'en';
        const { subject } = mailTexts[language];
        mailer.send({ to: report.email, subject, text: textOf(moderationCase, language) });
      }
    },
  };
}
