import type { ComponentProps, ReactNode } from 'react';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  /** primary: the one act of a form or page. danger: it cannot be undone. quiet: next to other buttons, as in a row. */
  kind?: 'primary' | 'secondary' | 'danger' | 'quiet';
  /** The act is under way: the button cannot start it twice, and keeps the focus. */
  isBusy?: boolean;
}

export function Button(props: ButtonProps): ReactNode {
  const { kind = 'secondary', isBusy = false, onClick, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={`button ${kind}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}
