/** Operators' commands: their input, their progress, and their result. */
import type { Collection } from 'mongodb';
import type { QueueAnswer } from '../../../workflows/queueCommands.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';

export type CommandStore = ReturnType<typeof createCommandStore>;

export function createCommandStore(commands: Collection<CommandDoc>) {
  return {
    /** Stores a command, and returns the one stored under its id: for a repetition, the first. */
    async begin(command: CommandDoc): Promise<CommandDoc> {
      const { _id, ...fields } = command;
      const stored = await retryUpsert(() =>
        commands.findOneAndUpdate(
          { _id },
          { $setOnInsert: fields },
          { upsert: true, returnDocument: 'after' },
        ),
      );
      return stored ?? command;
    },
    /** Records that `done` rows have ended, and which are next. */
    async progress(id: string, done: number, batch: readonly string[]): Promise<void> {
      await commands.updateOne({ _id: id }, { $set: { done, batch: [...batch] } });
    },
    /** Stores its result, once, and returns the stored one. */
    async finish(id: string, answer: QueueAnswer): Promise<QueueAnswer> {
      await commands.updateOne(
        { _id: id, answer: { $exists: false } },
        { $set: { answer }, $unset: { batch: true } },
      );
      const stored = await commands.findOne({ _id: id }, { projection: { answer: 1 } });
      return stored?.answer ?? answer;
    },
  };
}
