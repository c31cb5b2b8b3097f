import ora from 'ora';
import { formatElapsed } from './format.js';
import type { Reporter } from './reporter.js';

/** How often a long step without news is mentioned where there is no terminal, milliseconds. */
const PLAIN_INTERVAL_MS = 15_000;

interface Line {
  title: string;
  since: number;
  detail: string;
}

const describe = (line: Line): string => {
  const detail = line.detail ? `: ${line.detail}` : '';
  return `${line.title}${detail} (${formatElapsed(Date.now() - line.since)})`;
};

/** A spinner with elapsed time on a terminal, plain lines elsewhere. Both go to standard error. */
export function createTerminalReporter(stream: NodeJS.WriteStream = process.stderr): Reporter {
  return stream.isTTY
    ? spinnerReporter(stream)
    : plainReporter((text) => stream.write(`${text}\n`));
}

function spinnerReporter(stream: NodeJS.WriteStream): Reporter {
  const spinner = ora({ stream });
  const step = createStep(1_000, (line) => (spinner.text = describe(line)));
  return {
    start(text) {
      step.begin(text);
      spinner.start(text);
    },
    progress: (text) => step.update(text),
    done: (text) => void spinner.succeed(step.end(text)),
    fail: (text) => void spinner.fail(step.end(text)),
    info: (text) => void spinner.info(text),
  };
}

/** Exported for tests; `write` gets one line without its end. */
export function plainReporter(write: (line: string) => void): Reporter {
  const step = createStep(PLAIN_INTERVAL_MS, (line) => write(`  ${describe(line)}`));
  return {
    start(text) {
      step.begin(text);
      write(`- ${text}`);
    },
    progress: (text) => step.note(text),
    done: (text) => write(`✔ ${step.end(text)}`),
    fail: (text) => write(`✖ ${step.end(text)}`),
    info: (text) => write(`  ${text}`),
  };
}

/** The running step and its clock. The timer never keeps the process alive. */
function createStep(interval: number, show: (line: Line) => void) {
  let line: Line | null = null;
  let timer: NodeJS.Timeout | undefined;
  const note = (detail: string) => {
    if (line) line.detail = detail;
  };
  return {
    note,
    update(detail: string) {
      note(detail);
      if (line) show(line);
    },
    begin(title: string) {
      clearInterval(timer);
      line = { title, since: Date.now(), detail: '' };
      timer = setInterval(() => line && show(line), interval);
      timer.unref();
    },
    end(text: string): string {
      clearInterval(timer);
      const since = line?.since;
      line = null;
      return since === undefined ? text : `${text} (${formatElapsed(Date.now() - since)})`;
    },
  };
}
