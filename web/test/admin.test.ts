import {
  complete,
  describeWith,
  eventually,
  newChallenge,
  newEvent,
  newUser,
  pressKey,
} from '@wayquest/testing';
import { findBarriers } from './screens/checks.ts';
import { useSite } from './support/start-site.ts';

const phone = { width: 390, height: 844 };

(await describeWith('chromium'))('an admin', () => {
  const site = useSite();
  const openAs = (token: string, path: string) => site.visit(path, { viewport: phone, token });

  it('deletes all challenges of a user and the points earned with them, only after the dialog is confirmed', async () => {
    const [creator, participant, admin] = [
      await newUser(site.network),
      await newUser(site.network),
      await newUser(site.network),
    ];
    for (const points of [40, 60]) await complete(participant, await newChallenge(creator, { points }));
    await site.network.settle();
    expect((await participant.client.getMe()).points).toBe(100);
    const rights = { id: admin.me.id, username: admin.username, admin: true, version: 2 };
    await site.network.bus.publish(newEvent('user.account-changed.v1', rights));
    const token = site.network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });

    const { page, consoleErrors } = await openAs(token, `/users/${creator.me.id}`);
    await pressKey(page.getByRole('button', { name: `Delete all challenges by ${creator.username}` }));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('removes the points').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.waitFor({ state: 'hidden' });
    expect((await site.network.client().listChallenges()).length).toBe(2);

    await pressKey(page.getByRole('button', { name: /^Delete all/ }));
    await pressKey(dialog.getByRole('button', { name: 'Delete all and remove points' }));
    await page.getByText(`Deleted 2 challenges by ${creator.username}.`).waitFor();
    expect(await site.network.client().listChallenges()).toEqual([]);
    await eventually(async () => expect((await participant.client.getMe()).points).toBe(0));
    expect(consoleErrors).toEqual([]);
  });

  it('restores a challenge that was hidden after three reports and an appeal of its creator', async () => {
    const [creator, admin, reporter, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => newUser(site.network)),
    );
    if (!creator || !admin || !reporter) throw new Error('a user is missing');
    const { id } = await newChallenge(creator, { name: 'The old mill' });
    const rights = { id: admin.me.id, username: admin.username, admin: true, version: 2 };
    await site.network.bus.publish(newEvent('user.account-changed.v1', rights));

    const { page, consoleErrors } = await openAs(reporter.token, `/challenges/${id}`);
    await pressKey(page.getByRole('button', { name: 'Report' }));
    await page.getByRole('radio', { name: 'Dangerous' }).check();
    await page.getByLabel('Details (optional)').fill('The floor is rotten');
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(page.getByRole('button', { name: 'Send' }));
    await page.getByText("We'll review it.").waitFor();
    // Before it is hidden: the open page may then request something of it, which is not found.
    expect(consoleErrors).toEqual([]);
    for (const { client } of others)
      await client.report({ body: { kind: 'challenge', id, reason: 'danger' } });
    await eventually(() =>
      expect(reporter.client.getChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 }),
    );

    const creatorPage = await openAs(creator.token, `/challenges/${id}`);
    await creatorPage.page.getByText('Hidden while we review it').waitFor();
    await pressKey(creatorPage.page.getByRole('button', { name: 'Appeal' }));
    await creatorPage.page.getByLabel('Why we should review it again').fill('It was mended');
    await pressKey(creatorPage.page.getByRole('button', { name: 'Send' }));
    await creatorPage.page.getByText("You've appealed").waitFor();
    expect(creatorPage.consoleErrors).toEqual([]);

    const token = site.network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });
    const moderator = await openAs(token, '/leaderboard');
    await pressKey(moderator.page.getByRole('button', { name: /'s menu/ }));
    await pressKey(moderator.page.getByRole('link', { name: 'Moderation', exact: true }));
    await pressKey(moderator.page.getByRole('link', { name: 'The old mill' }).first());
    await moderator.page.getByText('It was mended').waitFor();
    // The case has the focus, and the page's header does not cover its beginning.
    await moderator.page.locator('article:focus').waitFor();
    const header = await moderator.page.getByRole('banner').boundingBox();
    const heading = await moderator.page.getByRole('heading', { name: 'The old mill' }).boundingBox();
    expect(heading?.y).toBeGreaterThanOrEqual(header?.height ?? Number.NaN);
    expect(await findBarriers(moderator.page)).toEqual([]);
    await pressKey(moderator.page.getByRole('button', { name: 'Restore' }));
    await moderator.page.getByRole('article').locator('strong', { hasText: 'Restore' }).waitFor();
    await eventually(async () =>
      expect(await reporter.client.getChallenge({ params: { id } })).toMatchObject({ status: 'live' }),
    );

    // Hiding can be undone; the creator reads who hid it (53, findings 27 and 28).
    const decision = moderator.page.getByRole('region', { name: 'Decision' });
    // A button without effect says what is missing.
    await pressKey(decision.getByRole('button', { name: 'Add note' }));
    await decision.getByText('Please fill this in.').waitFor();
    await decision.getByLabel('Reason (shown to the user)').fill('The dam is closed');
    await pressKey(decision.getByRole('button', { name: 'Hide' }));
    await decision.getByText('Hidden. Its owner can appeal.').waitFor();
    // Of a decided case, what has been reported stays.
    await moderator.page
      .getByRole('article')
      .getByText(/^\d+ reports? · hidden/)
      .waitFor();
    await eventually(() =>
      expect(reporter.client.getChallenge({ params: { id } })).rejects.toMatchObject({ status: 404 }),
    );
    await creatorPage.page.reload();
    await creatorPage.page.getByText('Hidden after a review').waitFor();
    await creatorPage.page.getByText('The dam is closed').waitFor();
    await pressKey(decision.getByRole('button', { name: 'Undo' }));
    await eventually(async () =>
      expect(await reporter.client.getChallenge({ params: { id } })).toMatchObject({ status: 'live' }),
    );
    // Deleting asks first.
    await pressKey(decision.getByRole('button', { name: 'Delete' }));
    const question = moderator.page.getByRole('dialog', { name: 'Delete it for everyone?' });
    expect(await findBarriers(moderator.page)).toEqual([]);
    await pressKey(question.getByRole('button', { name: 'Cancel' }));
    await question.waitFor({ state: 'hidden' });
    expect(await reporter.client.getChallenge({ params: { id } })).toMatchObject({ status: 'live' });
    expect(moderator.consoleErrors).toEqual([]);
  });

  it('approves points under review, and revokes others with a reason shown to the participant', async () => {
    const [creator, participant, admin] = [
      await newUser(site.network),
      await newUser(site.network),
      await newUser(site.network),
    ];
    const completeForReview = async (name: string, flagReason: 'pace' | 'travel') => {
      const { id: challengeId, createdAt } = await newChallenge(creator, { name, points: 10 });
      const { id: participationId } = await participant.client.joinChallenge({ body: { challengeId } });
      const participation = {
        participationId,
        challengeId,
        userId: participant.me.id,
        points: 10,
        creatorId: creator.me.id,
      };
      const completedAt = new Date().toISOString();
      await site.network.bus.publish(
        newEvent('challenge.completed.v1', {
          ...participation,
          completedAt,
          flagReason,
          challenge: { name, createdAt },
        }),
      );
    };
    await completeForReview('The long walk', 'pace');
    await completeForReview('The far walk', 'travel');
    await site.network.settle();
    const rights = { id: admin.me.id, username: admin.username, admin: true, version: 2 };
    await site.network.bus.publish(newEvent('user.account-changed.v1', rights));

    const token = site.network.signToken({ sub: String(admin.me.id), username: admin.username, admin: true });
    const { page, consoleErrors } = await openAs(token, '/moderation');
    await pressKey(page.getByRole('link', { name: 'Points to review' }));
    const rowOf = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await rowOf('The long walk').getByText('One of twenty completed within an hour.').waitFor();
    await rowOf('The far walk').getByText('10 points').waitFor();
    await rowOf('The far walk').getByRole('link', { name: participant.username }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(rowOf('The long walk').getByRole('button', { name: 'Approve' }));
    await rowOf('The long walk').getByText('Points approved.').waitFor();
    await eventually(async () =>
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Points approved.'),
    );

    // Without a reason the dialog stays open.
    await pressKey(rowOf('The far walk').getByRole('button', { name: 'Revoke' }));
    const dialog = page.getByRole('dialog', { name: 'Revoke these points?' });
    await pressKey(dialog.getByRole('button', { name: 'Revoke' }));
    await dialog.getByLabel('Reason').fill('Nobody flies that fast');
    expect(await findBarriers(page)).toEqual([]);
    await pressKey(dialog.getByRole('button', { name: 'Revoke' }));
    await rowOf('The far walk').getByText('Points revoked.').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await site.network.settle();
    await page.reload();
    await page.getByText('No points to review.').waitFor();
    await page.getByText('Revoked points').waitFor();
    await page.getByText('Nobody flies that fast').waitFor();
    expect(consoleErrors).toEqual([]);

    expect((await participant.client.getMe()).points).toBe(10);
    const creatorPage = await openAs(participant.token, '/notifications');
    await pressKey(creatorPage.page.getByRole('link', { name: /revoked: Nobody flies that fast/ }));
    await creatorPage.page.getByText('Revoked: Nobody flies that fast').waitFor();
    await creatorPage.page.getByText('Reviewed and approved').waitFor();
    expect(await findBarriers(creatorPage.page)).toEqual([]);
    expect(creatorPage.consoleErrors).toEqual([]);
  });
});
