import { messagesOf } from './pages.ts';
import type { Talk } from './people.ts';
import type { Tab } from './tab.ts';

/** Compares the messages of all tabs with the stored ones. */
export async function compare(talks: Talk[], tabs: Tab[]) {
  let stored = 0;
  let lost = 0;
  let duplicated = 0;
  let outOfOrder = 0;
  for (const talk of talks) {
    const messages = await messagesOf(talk.people[0].client, talk.conversationId);
    stored += messages.length;
    const ids = messages.map(({ id }) => id);
    duplicated += messages.length - new Set(messages.map(({ clientId }) => clientId)).size;
    outOfOrder += ids.filter((id, index) => index > 0 && id !== (ids[index - 1] ?? 0) + 1).length;
    for (const { conversationId, held } of tabs) {
      if (conversationId !== talk.conversationId) continue;
      lost += ids.filter((id) => !held.has(id)).length;
      duplicated += Math.max(0, held.size - ids.length);
      const texts = [...held.values()].sort((a, b) => a.id - b.id).map(({ text }) => text);
      const expected = messages.filter(({ id }) => held.has(id)).map(({ text }) => text);
      outOfOrder += expected.filter((text, index) => texts[index] !== text).length;
    }
  }
  return { stored, lost, duplicated, outOfOrder };
}
