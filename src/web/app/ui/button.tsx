import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

/** primary: the one act of a form or page. danger: it cannot be undone. quiet: next to other buttons, as in a row. */
export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  kind?: ButtonKind;
  /** It shows an icon alone: `aria-label` names it. */
  isIcon?: boolean;
  /** The act is under way: the button cannot start it twice, and keeps the focus. */
  isBusy?: boolean;
}

export function Button(props: ButtonProps): ReactNode {
  const { kind = 'secondary', isIcon, isBusy = false, onClick, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={isIcon ? `button icon ${kind}` : `button ${kind}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'isIcon' | 'children' | 'aria-label'> {
  icon: LucideIcon;
  /** Its name, read aloud and shown on hovering. */
  label: string;
}

/** A button that shows an icon alone. */
export const IconButton = ({ icon: Icon, label, kind = 'quiet', ...rest }: IconButtonProps) => (
  <Button {...rest} kind={kind} isIcon aria-label={label} title={rest.title ?? label}>
    <Icon size={16} aria-hidden />
  </Button>
);
