//! The memory that a piece of code holds. A test target that measures it declares
//! `#[global_allocator] static ALLOCATOR: Counting = Counting;`.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

/// The system's allocator, with a count for each thread, because tests run in parallel.
pub struct Counting;

thread_local! {
    /// Bytes in use by this thread, now and at most.
    static IN_USE: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

/// The most bytes that this thread held during `run`, beyond those before it.
pub fn most_held(run: impl FnOnce()) -> usize {
    let before = IN_USE.get().0;
    IN_USE.set((before, before));
    run();
    usize::try_from(IN_USE.get().1 - before).unwrap_or_default()
}

fn count(bytes: isize) {
    // A thread that ends frees memory after its counter is dropped.
    let _ = IN_USE.try_with(|cell| {
        let (now, most) = cell.get();
        cell.set((now + bytes, most.max(now + bytes)));
    });
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}
