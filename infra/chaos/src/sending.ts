import type { ConversationPair } from './people.ts';
import type { Tally } from './tally.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends messages at a steady rate; failures are retried with the same clientId. Returns the reasons of failures. */
export async function sendSteadily(
  talks: ConversationPair[],
  { messages, rate }: { messages: number; rate: number },
  tally: Tally,
): Promise<Map<string, number>> {
  const started = performance.now();
  const underWay = new Set<Promise<void>>();
  const failures = new Map<string, number>();

  const send = async (n: number): Promise<void> => {
    const talk = talks[n % talks.length];
    const person = talk?.people[Math.floor(n / talks.length) % 2];
    if (!talk || !person) throw new Error('nobody talks');
    const body = {
      sender: person.id,
      text: `Message ${n}`,
      conversationId: talk.conversationId,
      clientId: String(n),
    };
    tally.sending(body.clientId);
    for (let attempt = 0; ; attempt++) {
      try {
        await person.client.sendMessage({ body });
        return;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        failures.set(reason, (failures.get(reason) ?? 0) + 1);
        await pause(Math.min(5_000, 250 * 2 ** attempt));
      }
    }
  };

  for (let n = 0; n < messages; n++) {
    await pause(Math.max(0, started + (n * 1_000) / rate - performance.now()));
    const sending = send(n).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }
  await Promise.all(underWay);
  return failures;
}
