import asyncio, fcntl, multiprocessing as mp
def work(pipe, queue, value):
    pipe.send(6)
    queue.put(7)
    value.value = 1
async def main():
    await asyncio.sleep(0)
if __name__ == '__main__':
    mp.set_start_method('fork')
    ours, theirs = mp.Pipe()
    queue, value = mp.Queue(), mp.Value('i', 0)
    child = mp.Process(target=work, args=(theirs, queue, value))
    child.start()
    answer = ours.recv() * queue.get()
    child.join()
    asyncio.run(main())
    with open('/tmp/lock', 'w') as file: fcntl.flock(file, fcntl.LOCK_EX)
    print(answer if value.value else 'not shared')
