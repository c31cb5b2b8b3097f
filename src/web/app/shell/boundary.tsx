import { Component, type ReactNode } from 'react';
import { reportError } from '../lib/reportErrors.js';
import { Button } from '../ui/index.js';

interface Props {
  children: ReactNode;
}

/** Catches the errors of a screen, so that the rest of the page stays usable, and reports them to the service. */
export class Boundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div className="state bad" role="alert">
        <p className="state-title">This screen could not be shown.</p>
        <p className="muted">A newer version may be available. Saved data is not affected.</p>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </div>
    );
  }
}
