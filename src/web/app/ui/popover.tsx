/** Content over the page, beside the button that opens it; and a word about a control that shows an icon alone. */
import { Popover as BasePopover } from '@base-ui/react/popover';
import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

interface PopoverProps {
  trigger: ReactElement;
  /** Its heading, read aloud and shown. */
  title: string;
  isTitleHidden?: boolean;
  isOpen?: boolean;
  onOpenChange?(isOpen: boolean): void;
  align?: 'start' | 'center' | 'end';
  children: ReactNode;
}

export function Popover(props: PopoverProps): ReactNode {
  const { trigger, title, isTitleHidden = false, isOpen, onOpenChange, align, children } = props;
  return (
    <BasePopover.Root open={isOpen} onOpenChange={onOpenChange && ((open) => onOpenChange(open))}>
      <BasePopover.Trigger render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner sideOffset={4} align={align ?? 'start'} className="popup-place">
          <BasePopover.Popup className="popup popover stack">
            <BasePopover.Title className={isTitleHidden ? 'hidden' : undefined}>
              {title}
            </BasePopover.Title>
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}

interface TooltipProps {
  text: string;
  /** A control that has a name without it. */
  children: ReactElement;
}

/** Supplementary: a touch screen does not show it. */
export const Tooltip = ({ text, children }: TooltipProps): ReactNode => (
  <BaseTooltip.Root>
    <BaseTooltip.Trigger render={children} />
    <BaseTooltip.Portal>
      <BaseTooltip.Positioner sideOffset={6} className="popup-place">
        <BaseTooltip.Popup className="tooltip">{text}</BaseTooltip.Popup>
      </BaseTooltip.Positioner>
    </BaseTooltip.Portal>
  </BaseTooltip.Root>
);
