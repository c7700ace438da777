import { type RunnerTask, type RunnerTestCase, type RunnerTestSuite, TestRunner } from 'vitest';
import { cleanUpAfterFile } from '../backing.ts';
import { saveArtifacts } from './failure-artifacts.ts';

/**
 * Adds the warnings of networks' parts to a failed test, keeps their logs and traces under `test-results/`, and calls
 * what a test file has registered with `afterFile`.
 */
export default class NetworkTestRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    globalThis.wayquestLines?.clearWarnings();
    // Of concurrent tests nobody knows which one opens a page.
    globalThis.wayquestVisitors = test.concurrent ? undefined : new Set();
    await super.onBeforeRunTask(test);
  }

  /** After the test, but before its `afterEach`: browsers are still open, so that their traces can be saved. */
  async onTaskFinished(test: RunnerTestCase): Promise<void> {
    await explainFailure(test);
  }

  /** After its `afterEach`. */
  override async onAfterRunTask(test: RunnerTestCase): Promise<void> {
    const releases = [...(globalThis.wayquestVisitors ?? [])];
    globalThis.wayquestVisitors = undefined;
    await Promise.all(releases.map((release) => release()));
    super.onAfterRunTask(test);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    // A failure of the suite's hooks, or of loading it.
    await explainFailure(suite);
    await super.onAfterRunSuite(suite);
    if (suite.file.id !== suite.id) return;
    await cleanUpAfterFile();
    globalThis.wayquestLines = undefined;
    globalThis.wayquestTraces = undefined;
    globalThis.wayquestPages = undefined;
  }
}

async function explainFailure(task: RunnerTask): Promise<void> {
  const [error] = task.result?.errors ?? [];
  if (!error) return;
  const lines = globalThis.wayquestLines;
  const warnings = lines?.warnings();
  if (warnings) error.message += `\n\n${warnings}\n`;
  await saveArtifacts(task.file.filepath, {
    logs: lines?.logs() ?? [],
    describePages: globalThis.wayquestPages ?? [],
    saveTraces: globalThis.wayquestTraces ?? [],
  });
}
